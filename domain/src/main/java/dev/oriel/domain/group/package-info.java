/**
 * Sends and receives between any pairs of ranks as one launch: what each rank lists is matched and
 * made a program.
 */
package dev.oriel.domain.group;
