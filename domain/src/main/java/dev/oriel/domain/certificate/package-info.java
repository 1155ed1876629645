/** Certificates: what the search of every order proved of a program, kept in a file. */
package dev.oriel.domain.certificate;
