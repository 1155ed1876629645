package dev.oriel.it.docs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The Maven project that a page has put into the working folder, built and run without Maven: its
 * dependencies are those of this process.
 */
final class PageProject {
  private static final Path CLASSES = Path.of("target", "classes");
  private static final Pattern MAIN = Pattern.compile("<mainClass>([^<]+)</mainClass>");

  private PageProject() {}

  /** Does what Maven does for {@code exec:java} or {@code test}; returns the exit code. */
  static int build(List<String> words, StringWriter out) throws IOException {
    PrintStream before = System.out;
    PrintWriter both = new PrintWriter(out, true);
    compile(both);
    try (PrintStream captured =
            new PrintStream(new WriterStream(out), true, StandardCharsets.UTF_8);
        URLClassLoader loader = loader()) {
      System.setOut(captured);
      Thread.currentThread().setContextClassLoader(loader);
      if (words.contains("exec:java")) {
        return main(loader);
      }
      if (words.contains("test")) {
        return test(both);
      }
      throw new IllegalStateException("no goal that a page may have: words=" + words);
    } finally {
      System.setOut(before);
    }
  }

  private static URLClassLoader loader() throws IOException {
    return new URLClassLoader(
        new URL[] {CLASSES.toUri().toURL()}, PageProject.class.getClassLoader());
  }

  private static void compile(PrintWriter problems) throws IOException {
    Files.createDirectories(CLASSES);
    JavaCompiler javac = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    String path = System.getProperty("java.class.path");
    try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null);
        Stream<Path> sources = Files.walk(Path.of("src"))) {
      boolean compiled =
          javac
              .getTask(
                  problems,
                  files,
                  null,
                  List.of(
                      "-d", CLASSES.toString(), "-cp", path, "-processorpath", path, "-proc:full"),
                  null,
                  files.getJavaFileObjectsFromPaths(
                      sources.filter(file -> file.toString().endsWith(".java")).toList()))
              .call();
      if (!compiled) {
        throw new IllegalStateException("the project of the page does not compile");
      }
    }
  }

  private static int main(ClassLoader loader) throws IOException {
    Matcher name = MAIN.matcher(Files.readString(Path.of("pom.xml")));
    if (!name.find()) {
      throw new IllegalStateException("the page's pom.xml names no main class");
    }
    try {
      Class<?> main = loader.loadClass(name.group(1));
      main.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
      return 0;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the main class of the page failed", e);
    }
  }

  private static int test(PrintWriter out) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClasspathRoots(Set.of(CLASSES)))
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    Launcher launcher = LauncherFactory.create();
    launcher.execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    if (summary.getTestsFoundCount() == 0) {
      throw new IllegalStateException("the page has no test");
    }
    summary.getFailures().forEach(failure -> out.println(failure.getException()));
    return summary.getFailures().isEmpty() ? 0 : 1;
  }

  /** Bytes of UTF-8 that a print stream writes as whole characters. */
  private static final class WriterStream extends OutputStream {
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringWriter out;

    WriterStream(StringWriter out) {
      this.out = out;
    }

    @Override
    public void write(int b) {
      line.write(b);
    }

    @Override
    public void flush() {
      out.write(line.toString(StandardCharsets.UTF_8));
      line.reset();
    }

    @Override
    public void close() {
      flush();
    }
  }
}
