/**
 * Code that breaks the laws of the architecture, one law per class, laid out like the real modules.
 * The classes called Fine break none. It proves that each rule can fail.
 */
package dev.oriel.it.broken;
