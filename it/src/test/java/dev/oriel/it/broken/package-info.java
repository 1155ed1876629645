/**
 * Code that breaks the laws of the architecture, one law a class, laid out as the real modules are;
 * the classes called Fine break none. It proves that each rule can fail.
 */
package dev.oriel.it.broken;
