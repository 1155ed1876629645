package dev.oriel.it.campaign;

import dev.oriel.it.check.CampaignFile;
import dev.oriel.sim.replay.JsonValue.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The manifests of a campaign on Kubernetes: the parts as an Indexed Job, a job for one part alone,
 * and one for the merge.
 *
 * @param image whose command is {@code oriel}
 * @param claim the volume for the results, which all pods can write
 * @param inputs the files that pods read
 */
record KubernetesFiles(CampaignJob job, String image, String claim, List<String> inputs) {
  /** Is replaced by the number of a part in the manifest of one part. */
  private static final String NUMBER = "@PART@";

  /** Runs one part again. */
  static final String ALONE =
      "sed s/%s/%s/g alone.yaml | kubectl create -f -".formatted(NUMBER, CampaignFile.NUMBER);

  /** The most bytes of the files of a ConfigMap, less some for the rest of it. */
  static final int MOST_BYTES = 1_000_000;

  KubernetesFiles {
    inputs = List.copyOf(inputs);
  }

  /** The texts by the names of their files. */
  Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("kustomization.yaml", filled("kustomization.yaml", List.of()));
    files.put("parts.yaml", filled("parts.yaml", part("kubernetes")));
    files.put("alone.yaml", filled("alone.yaml", part(NUMBER)));
    files.put("merge.yaml", filled("merge.yaml", List.of("merge", ".")));
    files.put("submit.sh", filled("kubernetes-submit.sh", List.of()));
    return files;
  }

  private List<String> part(String number) {
    List<String> words = new ArrayList<>(job.words());
    words.addAll(List.of("--campaign", ".", "--shard", number + "/" + job.parts()));
    return words;
  }

  private String filled(String name, List<String> arguments) {
    Map<String, String> values = job.values();
    values.put("PART", NUMBER);
    values.put("IMAGE", quoted(image));
    values.put("CLAIM", quoted(claim));
    values.put("FILES", lines(inputs.stream().map(file -> "      - " + file).toList()));
    values.put("ARGUMENTS", lines(arguments.stream().map(KubernetesFiles::argument).toList()));
    values.put("MOUNTS", lines(inputs.stream().map(KubernetesFiles::mount).toList()));
    values.put("POD", CampaignTemplate.inner("pod.yaml", values));
    return CampaignTemplate.filled(name, values);
  }

  /** In arguments Kubernetes replaces {@code $(NAME)}, and makes {@code $} of {@code $$}. */
  private static String argument(String word) {
    return "            - " + quoted(word.replace("$", "$$"));
  }

  private static String mount(String file) {
    return """
    - name: campaign
      mountPath: /campaign/%1$s
      subPath: %1$s
      readOnly: true\
    """
        .formatted(file)
        .indent(12)
        .stripTrailing();
  }

  private static String lines(List<String> lines) {
    return lines.stream().collect(Collectors.joining("\n"));
  }

  /** A string of YAML, which takes those of JSON. */
  private static String quoted(String word) {
    return new Text(word).print();
  }
}
