package dev.oriel.sim.oracle;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * An engine of its own, one class of which was compiled from a changed source: its classes, and
 * those that drive it, are loaded anew; all others are shared.
 */
final class MutantLoader extends ClassLoader {
  private static final Path SOURCES = Path.of("src/main/java/dev/oriel/sim/machine");

  private final Map<String, byte[]> compiled;

  private MutantLoader(Map<String, byte[]> compiled) {
    super(MutantLoader.class.getClassLoader());
    this.compiled = compiled;
  }

  /** The battery, on an engine with that change. */
  @SuppressWarnings("unchecked")
  static UnaryOperator<String> battery(EngineMutant mutant) throws Exception {
    String source = Files.readString(SOURCES.resolve(mutant.file() + ".java"));
    int at = source.indexOf(mutant.line());
    if (at < 0 || source.indexOf(mutant.line(), at + 1) >= 0) {
      throw new AssertionError(
          "a line that a mutant changes is not there once: file=%s.java, line='%s'; adapt EngineMutants"
              .formatted(mutant.file(), mutant.line()));
    }
    String changed =
        source.substring(0, at) + mutant.becomes() + source.substring(at + mutant.line().length());
    MutantLoader loader = new MutantLoader(compile(mutant, changed));
    return (UnaryOperator<String>)
        loader.loadClass(Battery.class.getName()).getDeclaredConstructor().newInstance();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean own =
        name.startsWith("dev.oriel.sim.machine.")
            || name.startsWith("dev.oriel.sim.search.")
            || name.startsWith(Battery.class.getName());
    if (!own) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] bytes = compiled.containsKey(name) ? compiled.get(name) : original(name);
        loaded = defineClass(name, bytes, 0, bytes.length);
      }
      return loaded;
    }
  }

  private byte[] original(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static Map<String, byte[]> compile(EngineMutant mutant, String source) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, ByteArrayOutputStream> written = new HashMap<>();
    StringWriter errors = new StringWriter();
    String own =
        Path.of(Simulation.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    String classPath = own + java.io.File.pathSeparator + System.getProperty("java.class.path");
    try (JavaFileManager files =
        new Kept(compiler.getStandardFileManager(null, null, null), written)) {
      boolean good =
          compiler
              .getTask(
                  errors,
                  files,
                  null,
                  List.of("-proc:none", "-nowarn", "-Xlint:none", "-classpath", classPath),
                  null,
                  List.of(new Text(mutant.file(), source)))
              .call();
      if (!good) {
        throw new AssertionError("a mutant is no program: %s%n%s".formatted(mutant, errors));
      }
    }
    Map<String, byte[]> classes = new HashMap<>();
    written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  /** A source text. */
  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(String file, String text) {
      super(URI.create("string:///dev/oriel/sim/machine/" + file + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Keeps what is compiled in memory. */
  private static final class Kept extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> written;

    Kept(JavaFileManager files, Map<String, ByteArrayOutputStream> written) {
      super(files);
      this.written = written;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      written.put(name, bytes);
      return new SimpleJavaFileObject(URI.create("bytes:///" + name.replace('.', '/')), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }
  }
}
