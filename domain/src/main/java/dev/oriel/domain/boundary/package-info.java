/** Sizes at which a program's text does something else. */
package dev.oriel.domain.boundary;
