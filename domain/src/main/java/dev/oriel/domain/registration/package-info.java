/** The memory that network interfaces may access, and for how long. */
package dev.oriel.domain.registration;
