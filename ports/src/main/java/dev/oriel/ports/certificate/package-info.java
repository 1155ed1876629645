/** Executors that run only programs with a certificate. */
package dev.oriel.ports.certificate;
