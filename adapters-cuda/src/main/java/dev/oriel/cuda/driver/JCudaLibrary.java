package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jcuda.JCudaVersion;
import jcuda.LibUtils;
import jcuda.driver.JCudaDriver;

/**
 * Loads JCuda's native library, from {@code java.library.path} or from a jar of the class path, out
 * of which it is extracted.
 *
 * <p>JCuda itself would extract it to a fixed name in the temporary folder and load any file of
 * that name. Processes that start together would then load a file that another is still writing.
 */
final class JCudaLibrary {
  private static final String FOLDERS = "java.io.tmpdir";

  private static boolean loaded;

  private JCudaLibrary() {}

  /**
   * Loads the library after the driver's, once; further calls do nothing.
   *
   * @throws MachineException saying why the library cannot be loaded
   */
  static synchronized void load() {
    if (!loaded) {
      loadNow();
      loaded = true;
    }
  }

  private static void loadNow() {
    String before = System.getProperty(FOLDERS);
    try {
      // Only JCuda reads this property so late: Java has already fixed the folder of its own
      // temporary files.
      if (!onPath()) {
        extracted().ifPresent(folder -> System.setProperty(FOLDERS, folder.toString()));
      }
      JCudaDriver.setExceptionsEnabled(true);
    } catch (UnsatisfiedLinkError | NoClassDefFoundError | IOException e) {
      throw MachineException.lacking(
          "no JCuda library: reason=%s; put the JCudaDriver library for this platform on java.library.path, or its jar on the class path"
              .formatted(String.valueOf(e.getMessage()).lines().findFirst().orElse("")),
          e);
    } finally {
      System.setProperty(FOLDERS, before);
    }
  }

  private static String name() {
    return LibUtils.createLibraryFileName(
        LibUtils.createPlatformLibraryName("JCudaDriver-" + JCudaVersion.get()));
  }

  /** Whether the library is on Java's library path; JCuda then loads it from there. */
  private static boolean onPath() {
    String path = System.getProperty("java.library.path", "");
    return Stream.of(path.split(Pattern.quote(File.pathSeparator), -1))
        .anyMatch(folder -> Files.isReadable(Path.of(folder, name())));
  }

  /** The folder into which it was extracted, if a jar holds it. */
  private static Optional<Path> extracted() throws IOException {
    String name = name();
    try (InputStream in = JCudaDriver.class.getResourceAsStream("/lib/" + name)) {
      return in == null
          ? Optional.empty()
          : Optional.of(ExtractedFiles.folder(in.readAllBytes(), name));
    }
  }
}
