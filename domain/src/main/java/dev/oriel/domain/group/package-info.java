/**
 * Sends and receives between any pairs of ranks as one launch: the calls of all ranks are matched
 * and turned into a program.
 */
package dev.oriel.domain.group;
