package dev.oriel.cuda.driver;

/** A unit of work in a stream: a kernel, or a copy. */
public sealed interface StreamNode permits KernelLaunch, EngineCopy {}
