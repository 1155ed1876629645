package dev.oriel.domain.topology;

/** What a rank wants of the multi-host NVLink fabric. */
public enum FabricMode {
  /** Fabric facts and their overrides are ignored; access inside a host still counts. */
  DISABLED,
  /** Use the fabric where it is there. */
  AUTO,
  /** A rank without a usable fabric is an error. */
  ENABLED
}
