package dev.oriel.it.options;

import dev.oriel.domain.certificate.Certificate;
import dev.oriel.domain.certificate.CertificateSet;
import dev.oriel.domain.certificate.CertificateText;
import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The certificates that a program needs in order to run, if any are demanded. */
public final class ProvedOption {
  /** Names a folder of certificates that every command demands; bundles set it. */
  public static final String PROPERTY = "oriel.proved";

  /** The end of a certificate's file name in a folder. */
  public static final String SUFFIX = ".proof";

  private static final int MOST = 10_000;

  @Option(
      names = "--proved",
      paramLabel = "PATH",
      split = ",",
      description =
          "run only programs that a certificate covers: files of oriel prove --keep, or folders with files named *.proof")
  private List<Path> paths = List.of();

  /** Whether programs need a certificate. */
  public boolean demanded() {
    return !paths().isEmpty();
  }

  /** The files that hold the demanded certificates, those of a folder in the order of names. */
  public List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (Path path : paths()) {
      if (Files.isDirectory(path)) {
        files.addAll(listed(path));
      } else {
        files.add(path);
      }
    }
    if (files.size() > MOST) {
      throw new MachineException(
          "too many certificates: option=--proved, files=%d, max=%d; name fewer"
              .formatted(files.size(), MOST));
    }
    return files;
  }

  /** The demanded certificates. */
  public CertificateSet certificates() {
    return new CertificateSet(files().stream().map(ProvedOption::read).toList());
  }

  private List<Path> paths() {
    return paths.isEmpty()
        ? Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of).stream().toList()
        : paths;
  }

  private static List<Path> listed(Path folder) {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      found.forEach(files::add);
    } catch (IOException e) {
      throw unreadable(folder, e);
    }
    if (files.isEmpty()) {
      throw new MachineException(
          "folder without a certificate: option=--proved, path=%s; its files must be named *%s"
              .formatted(folder, SUFFIX));
    }
    files.sort(null);
    return files;
  }

  private static Certificate read(Path file) {
    try {
      // Each character takes at most four bytes.
      if (Files.size(file) > 4L * CertificateText.MAX_TEXT) {
        throw new MachineException(
            "certificate too long: path=%s, max=%d characters; give a file that oriel prove wrote"
                .formatted(file, CertificateText.MAX_TEXT));
      }
      return CertificateText.parse(Files.readString(file));
    } catch (IOException e) {
      throw unreadable(file, e);
    } catch (IllegalArgumentException e) {
      throw new MachineException("%s (path=%s)".formatted(e.getMessage(), file), e);
    }
  }

  private static MachineException unreadable(Path path, IOException e) {
    return new MachineException(
        "cannot read a certificate: path=%s, reason=%s; give a file that oriel prove --keep wrote"
            .formatted(path, UnreadableReason.reason(e)),
        e);
  }
}
