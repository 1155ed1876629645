package dev.oriel.domain.registration;

/**
 * What one interface gave for a registration.
 *
 * @param local by which own requests name the memory
 * @param remote by which peers name it
 */
public record Key(long local, long remote) {}
