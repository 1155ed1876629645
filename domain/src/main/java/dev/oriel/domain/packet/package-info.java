/**
 * Packets, which carry data and the flag that says it is there in one store: their shapes, and
 * their bytes. Sees nothing else of the domain.
 */
package dev.oriel.domain.packet;
