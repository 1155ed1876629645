package dev.oriel.domain.registration;

/**
 * The right to use registered memory until it is given back.
 *
 * @param buffer the bytes that it is for; the registration may be larger
 * @param generation tells it from every other lease of its cache, also of the same bytes
 */
public record Lease(Span buffer, long generation) {}
