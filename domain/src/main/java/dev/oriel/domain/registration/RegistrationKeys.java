package dev.oriel.domain.registration;

/**
 * The keys that one interface gave for a registration.
 *
 * @param local the key in own requests
 * @param remote the key in peers' requests
 */
public record RegistrationKeys(long local, long remote) {}
