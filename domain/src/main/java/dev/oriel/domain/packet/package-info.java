/**
 * Packets carry data and the flag of its arrival in one store: their shapes, and their bytes. Uses
 * nothing else of the domain.
 */
package dev.oriel.domain.packet;
