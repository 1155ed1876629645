package dev.oriel.domain.topology;

/** A rank's policy for the multi-host NVLink fabric. */
public enum FabricMode {
  /** Fabric facts and their overrides are ignored; access inside a host still counts. */
  DISABLED,
  /** Use the fabric if there is one. */
  AUTO,
  /** A rank without a usable fabric is an error. */
  ENABLED
}
