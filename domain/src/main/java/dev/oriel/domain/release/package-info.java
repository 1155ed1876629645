/** The release of this library. */
package dev.oriel.domain.release;
