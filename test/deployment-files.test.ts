import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { packageRoot } from "../src/config/package-root.ts";

const read = (path: string) => readFileSync(join(packageRoot(), path), "utf8");

function documentsOf(path: string): unknown[] {
  const documents = parseAllDocuments(read(path), { merge: true });
  if (!Array.isArray(documents)) return [];
  for (const { errors, warnings } of documents) expect([...errors, ...warnings], path).toEqual([]);
  return documents.map((document) => document.toJS());
}

const labels = z.record(z.string(), z.string());
const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});
const Pod = z.looseObject({
  hostUsers: z.boolean().optional(),
  containers: z.array(
    z.looseObject({
      image: z.string(),
      args: z.array(z.string()),
      envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }) })),
      ports: z.array(z.object({ containerPort: z.int() })).optional(),
      securityContext: z.looseObject({ procMount: z.string().optional() }).optional(),
      volumeMounts: z.array(z.looseObject({ name: z.string() })),
    }),
  ),
  volumes: z.array(z.object({ name: z.string(), persistentVolumeClaim: z.object({ claimName: z.string() }) })),
});
const Deployment = Manifest.extend({
  spec: z.looseObject({
    replicas: z.int(),
    selector: z.object({ matchLabels: labels }),
    template: z.object({ metadata: z.object({ labels }), spec: Pod }),
  }),
});
const Service = Manifest.extend({
  spec: z.object({ selector: labels, ports: z.array(z.object({ port: z.int(), targetPort: z.int() })) }),
});

describe("the manifests for Kubernetes", () => {
  const manifests = readdirSync(join(packageRoot(), "deploy/kubernetes")).flatMap((file) =>
    documentsOf(`deploy/kubernetes/${file}`).map((document) => Manifest.parse(document)),
  );
  const all = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  const named = (kind: string) => all(kind).map(({ metadata }) => metadata.name);
  const deployments = all("Deployment").map((manifest) => Deployment.parse(manifest));
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));

  test("are YAML, and all of them stand in the namespace that they make", () => {
    expect(named("Namespace")).toEqual(["miracle"]);
    for (const { kind, metadata } of manifests)
      expect(kind === "Namespace" ? metadata.name : metadata.namespace).toBe("miracle");
  });

  test("name volumes, secrets and labels that are there, and the image of this version", () => {
    expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual(["server", "worker"]);
    for (const { spec } of deployments) {
      const { containers, volumes } = spec.template.spec;
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      for (const { persistentVolumeClaim } of volumes)
        expect(named("PersistentVolumeClaim")).toContain(persistentVolumeClaim.claimName);
      for (const { image, envFrom, volumeMounts, args } of containers) {
        expect(image).toBe(`miracle:${version}`);
        expect(["serve", "worker"]).toContain(args[0]);
        for (const { secretRef } of envFrom) expect(named("Secret")).toContain(secretRef.name);
        for (const { name } of volumeMounts) expect(volumes.map((volume) => volume.name)).toContain(name);
      }
    }
  });

  test("lead from the service to a port of the servers", () => {
    for (const { spec } of all("Service").map((manifest) => Service.parse(manifest))) {
      const [target, ...others] = deployments.filter(({ spec: { template } }) =>
        Object.entries(spec.selector).every(([key, value]) => template.metadata.labels[key] === value),
      );
      expect(others).toEqual([]);
      const ports = target?.spec.template.spec.containers.flatMap((container) => container.ports ?? []);
      expect(ports?.map(({ containerPort }) => containerPort)).toEqual(spec.ports.map(({ targetPort }) => targetPort));
    }
  });

  test("ask for user namespaces where /proc is not masked: without them Kubernetes refuses that", () => {
    for (const { spec } of deployments) {
      const { containers, hostUsers } = spec.template.spec;
      if (containers.some(({ securityContext }) => securityContext?.procMount === "Unmasked"))
        expect(hostUsers).toBe(false);
    }
  });
});

test("compose, .env.example and config/database.yaml agree: each variable is told of, 600 seconds and 5 attempts", () => {
  const compose = read("docker-compose.yml");
  expect(documentsOf("docker-compose.yml")).toHaveLength(1);
  const wanted = [...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
  const told = [...read(".env.example").matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  expect([...new Set(wanted)].sort()).toEqual(told.map(([name]) => name).sort());
  expect(Object.fromEntries(told)).toMatchObject({ TASK_TIMEOUT: "600", MAX_RETRIES: "5" });
  for (const usual of ["TASK_TIMEOUT:-600", "MAX_RETRIES:-5"]) expect(compose).toContain(`{${usual}}`);
  expect(documentsOf("config/database.yaml")).toMatchObject([
    { database: { pool: 4 }, queue: { attempts: 5, taskTimeout: "600s" } },
  ]);
});
