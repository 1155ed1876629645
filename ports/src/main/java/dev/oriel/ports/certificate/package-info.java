/** Executors that run only programs with a certificate. */
@NullMarked
package dev.oriel.ports.certificate;

import org.jspecify.annotations.NullMarked;
