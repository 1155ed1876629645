package dev.oriel.cuda.driver;

/** What a stream does as one: a kernel, or a copy. */
public sealed interface Node permits Launch, EngineCopy {}
