import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fail } from "../domain/failure.ts";
import { decodeLoose, encodeLoose, type GitObject, OBJECT_ID, type ObjectType, objectId } from "./git-objects.ts";
import { PackReader } from "./pack-reader.ts";
import { PackWriter } from "./pack-writer.ts";

/** A batch beyond either limit becomes one pack instead of loose files. */
const LOOSE_OBJECTS = 200;
const LOOSE_BYTES = 32 << 20;

/**
 * The objects of a bare git repository, read and written in this process, because a spawn costs more than a whole
 * snapshot. Objects never change and appear by rename, so any number of processes may write at once.
 */
export class ObjectDatabase {
  readonly directory: string;
  /** Also flush each object to disk, so that it survives a power cut and not only the end of the process. */
  readonly #durable: boolean;
  readonly #known = new Set<string>();
  #packs: PackReader[] | null = null;
  #temporaries = 0;

  constructor(gitDirectory: string, durable: boolean) {
    this.directory = join(gitDirectory, "objects");
    this.#durable = durable;
  }

  has(id: string): boolean {
    if (this.#known.has(id)) return true;
    // A power cut may leave an empty file. It counts as absent and is written again.
    const size = statSync(this.loosePath(id), { throwIfNoEntry: false })?.size ?? 0;
    const found = size > 0 || this.#packList().some((pack) => pack.has(id));
    if (found) this.#known.add(id);
    return found;
  }

  read(id: string): GitObject {
    if (!OBJECT_ID.test(id)) throw fail("invalid-input", "artifact.unknown", `"${id}" is no id of a snapshot`);
    const object = this.#readLoose(id) ?? this.#attemptPacked(id);
    if (object) return object;
    // Another process may have added or replaced packs since we looked.
    this.#forgetPacks();
    const found = this.#readPacked(id);
    if (found) return found;
    throw fail(
      "environment",
      "artifact.missing",
      `object ${id} is not in the artifact store ${this.directory}: it was pruned, or the store is damaged`,
    );
  }

  readAs(type: ObjectType, id: string): Buffer {
    const object = this.read(id);
    if (object.type === type) return object.content;
    throw fail("invalid-input", "artifact.unknown", `object ${id} is a ${object.type}, not a ${type}`);
  }

  batch(): ObjectBatch {
    return new ObjectBatch(this);
  }

  writeLoose(id: string, object: GitObject): void {
    const temporary = this.temporaryPath();
    const file = openSync(temporary, "wx", 0o444);
    const bytes = encodeLoose(object);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    if (this.#durable) fsyncSync(file);
    closeSync(file);
    this.adopt(id, temporary);
  }

  /** Gives a finished temporary file its name. */
  adopt(id: string, temporary: string): void {
    const path = this.loosePath(id);
    try {
      renameSync(temporary, path);
    } catch {
      mkdirSync(join(this.directory, id.slice(0, 2)), { recursive: true });
      renameSync(temporary, path);
    }
    this.#known.add(id);
  }

  /** Git's own prefix, so that `git prune` removes what a crash left. */
  temporaryPath(): string {
    this.#temporaries += 1;
    return join(this.directory, `tmp_obj_${process.pid}_${performance.now().toString(36)}_${this.#temporaries}`);
  }

  loosePath(id: string): string {
    return join(this.directory, id.slice(0, 2), id.slice(2));
  }

  packWriter(): PackWriter {
    return new PackWriter(join(this.directory, "pack"), this.#durable);
  }

  packAdded(): void {
    this.#forgetPacks();
  }

  close(): void {
    this.#forgetPacks();
  }

  /** Call after objects were removed: objects known before may be gone. */
  forget(): void {
    this.#known.clear();
    this.#forgetPacks();
  }

  #readLoose(id: string): GitObject | null {
    const path = this.loosePath(id);
    if (!existsSync(path)) return null;
    try {
      return decodeLoose(id, readFileSync(path));
    } catch (cause) {
      // Remove the torn object, so that the next snapshot of the same content can repair the store.
      rmSync(path, { force: true });
      this.#known.delete(id);
      const message = `object ${id} of the artifact store ${this.directory} is damaged and was removed`;
      throw fail("environment", "artifact.damaged", message, { cause });
    }
  }

  #attemptPacked(id: string): GitObject | null {
    try {
      return this.#readPacked(id);
    } catch {
      return null;
    }
  }

  #readPacked(id: string): GitObject | null {
    const pack = this.#packList().find((candidate) => candidate.has(id));
    if (!pack) return null;
    try {
      const object = pack.read(id, (base) => this.read(base));
      if (object && objectId(object.type, object.content) === id) return object;
      throw new Error(`the content is not that of ${id}`);
    } catch (cause) {
      const message = `object ${id} of the artifact store ${this.directory} is damaged`;
      throw fail("environment", "artifact.damaged", message, { cause });
    }
  }

  #packList(): PackReader[] {
    if (this.#packs) return this.#packs;
    const directory = join(this.directory, "pack");
    const indexes = existsSync(directory) ? readdirSync(directory).filter((name) => /^pack-.*\.idx$/.test(name)) : [];
    this.#packs = indexes.map((name) => new PackReader(join(directory, name)));
    return this.#packs;
  }

  #forgetPacks(): void {
    for (const pack of this.#packs ?? []) pack.close();
    this.#packs = null;
  }
}

/**
 * The objects of one snapshot. Nothing is visible before `commit`. Few objects become loose files, many become one
 * pack.
 */
export class ObjectBatch {
  readonly database: ObjectDatabase;
  #pending = new Map<string, GitObject>();
  #pendingBytes = 0;
  #pack: PackWriter | null = null;
  readonly #packed = new Set<string>();

  constructor(database: ObjectDatabase) {
    this.database = database;
  }

  put(type: ObjectType, content: Buffer): string {
    const id = objectId(type, content);
    if (this.#packed.has(id) || this.#pending.has(id) || this.database.has(id)) return id;
    if (this.#pack) {
      this.#pack.add(id, { type, content });
      this.#packed.add(id);
      return id;
    }
    this.#pending.set(id, { type, content });
    this.#pendingBytes += content.length;
    if (this.#pending.size > LOOSE_OBJECTS || this.#pendingBytes > LOOSE_BYTES) this.#startPack();
    return id;
  }

  commit(): void {
    if (this.#pack) {
      this.#pack.finish();
      this.database.packAdded();
      this.#pack = null;
      return;
    }
    for (const [id, object] of this.#pending) this.database.writeLoose(id, object);
    this.#pending.clear();
  }

  /** Safe to call after `commit`, too. */
  abandon(): void {
    this.#pack?.abandon();
    this.#pack = null;
    this.#pending.clear();
  }

  #startPack(): void {
    this.#pack = this.database.packWriter();
    for (const [id, object] of this.#pending) {
      this.#pack.add(id, object);
      this.#packed.add(id);
    }
    this.#pending = new Map();
  }
}
