package dev.oriel.domain.registration;

/**
 * The right to use registered memory until it is given back.
 *
 * @param buffer the leased bytes; the registration may be larger
 * @param generation distinguishes it from every other lease of its cache, even of the same bytes
 */
public record RegistrationLease(AddressRange buffer, long generation) {}
