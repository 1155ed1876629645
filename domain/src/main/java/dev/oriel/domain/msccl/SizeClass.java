package dev.oriel.domain.msccl;

import java.util.function.Supplier;

/**
 * Sizes of calls in one place that behave alike, and their program, which is made on demand.
 *
 * @param least the smallest size in bytes of the collective's larger buffer
 * @param most the largest; the smallest where one size was looked at for others that are not known
 */
public record SizeClass(boolean inPlace, long least, long most, Supplier<TranslatedPlan> program) {}
