/** Which memory network interfaces may touch, and for how long. */
package dev.oriel.domain.registration;
