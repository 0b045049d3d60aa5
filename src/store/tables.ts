import type { Generated } from "kysely";

/** What lessons and patterns share: see `domain/memory-record.ts`. */
interface MemoryColumns {
  scope: Generated<string>;
  project_id: Generated<string>;
  language: Generated<string>;
  /** Of the three above; unique together with the key. */
  audience: Generated<string>;
  origin: Generated<string>;
  trust: Generated<number>;
  status: Generated<string>;
  dedup_key: Generated<string>;
  updated_at: Generated<number>;
}

/** The database as Kysely sees it: ids are text, times are epoch milliseconds, hashed content is bytes. */
export interface Tables {
  blobs: { hash: string; bytes: Uint8Array };
  tasks: {
    id: string;
    description: string;
    directory: string;
    status: string;
    phase: string;
    /** Blob of what was frozen at the start: request, settings, prompts, tool schemas, prices. */
    frozen_hash: string;
    parent_id: string | null;
    iterations: Generated<number>;
    base_tree: string | null;
    /** The tree of the result; `final_code` of the source documents. */
    final_code: string | null;
    failure: string | null;
    /** Raised by every claim; a write with an older one is refused. */
    epoch: Generated<number>;
    owner: string | null;
    /** Set by `pause` and `cancel`, read by the engine as a step. */
    wish: string | null;
    step_count: Generated<number>;
    event_count: Generated<number>;
    /** Settled plus reserved, so that a call with unknown outcome counts as spent. */
    spent_micros: Generated<number>;
    spent_tokens: Generated<number>;
    created_at: number;
    updated_at: number;
    /** Of a fork: the parent's step that was the first to be done anew. */
    forked_at: Generated<number | null>;
    /** What the plan says, once there is one. */
    language: Generated<string | null>;
    goal_kind: Generated<string | null>;
    settled_at: Generated<number | null>;
  };
  /** A later generation of a strand: it shares the rows of the one before up to `start`, and goes on alone. */
  generations: {
    task_id: string;
    strand: string;
    generation: number;
    start: number;
    created_at: number;
  };
  steps: {
    task_id: string;
    strand: string;
    generation: number;
    position: number;
    sequence: number;
    path: string;
    kind: string;
    input_hash: string;
    outcome: string;
    output_hash: string;
    started_at: number;
    ended_at: number;
    previous_hash: string;
    hash: string;
  };
  events: {
    task_id: string;
    number: number;
    at: number;
    step: string;
    type: string;
    body: string;
  };
  reservations: {
    id: string;
    task_id: string;
    path: string;
    micros: number;
    tokens: number;
    settled: Generated<number>;
    created_at: number;
  };
  iterations: {
    task_id: string;
    todo: string;
    iteration_num: number;
    phase: string;
    code_snapshot: string | null;
    test_results: string | null;
    error_message: string | null;
    reflection: string | null;
    hypothesis: string | null;
    tokens_used: number;
    duration_seconds: number;
    created_at: number;
  };
  failures: {
    id: string;
    task_id: string;
    error_signature: string;
    error_type: string;
    task_description: string;
    failed_code: string | null;
    code_context: string | null;
    /** The diff that turned it green. */
    solution: string | null;
    /** Why, in one line. */
    fix_description: string | null;
    /** Where a database has a memory index, the vectors are in there, one of each model. */
    embedding: Uint8Array | null;
    embedding_model: string | null;
    created_at: number;
    error_text: Generated<string>;
    seen: Generated<number>;
  } & MemoryColumns;
  patterns: {
    id: string;
    task_id: string;
    problem_type: string;
    description: string;
    code_template: string;
    test_template: string;
    usage_count: Generated<number>;
    success_rate: Generated<number>;
    embedding: Uint8Array | null;
    embedding_model: string | null;
    created_at: number;
    plan: Generated<string>;
    interfaces: Generated<string>;
  } & MemoryColumns;
  /** How many records hold each feature, by its hash: what rare words weigh. A version is never changed. */
  memory_weights: {
    version: number;
    records: number;
    counts: Uint8Array;
    created_at: number;
  };
  /** Each time memory was asked for an iteration, with what came of that iteration. Outlives its task. */
  memory_recalls: {
    task_id: string;
    todo: string;
    iteration_num: number;
    /** `goal`: before the first turn of a todo; `error`: after a red iteration. */
    cause: string;
    found: number;
    /** What the quotation took up in the prompt. */
    tokens: number;
    /** 1 green, 0 not; null while the iteration is under way. */
    won: number | null;
    /** Of the whole iteration. */
    tokens_used: number | null;
    created_at: number;
  };
  /** Each record that was found for an iteration: shown to it, or held back as a control. Outlives its task. */
  memory_uses: {
    record_id: string;
    task_id: string;
    todo: string;
    iteration_num: number;
    shown: number;
    tokens: number;
    won: number | null;
    created_at: number;
  };
  /** Steps that wrote to memory: an effect that runs again after a crash finds that it was done. */
  memory_writes: {
    task_id: string;
    step: string;
    /** JSON: the ids, and which were new. */
    kept: string;
    created_at: number;
  };
  metrics: {
    task_id: string;
    metric_type: string;
    value: number;
    metadata: string | null;
    created_at: number;
  };
  /** What the model calls of a task used up, by who made them, where, and who answered. */
  usage: {
    task_id: string;
    role: string;
    phase: string;
    model: string;
    calls: number;
    attempts: number;
    input_tokens: number;
    cached_tokens: number;
    output_tokens: number;
    cost_micros: number;
    /** Calls of a model without a price. */
    unpriced: number;
    duration_ms: number;
  };
  /** What else is counted of a task: how often, and how much in all. */
  tallies: {
    task_id: string;
    metric: string;
    label: string;
    times: number;
    total: number;
  };
  approvals: {
    id: string;
    task_id: string;
    subject: string;
    context: string;
    status: string;
    answered_by: string | null;
    reason: string | null;
    created_at: number;
    answered_at: number | null;
  };
  /** What a person said to a task that is under way, in this order. */
  messages: {
    id: string;
    task_id: string;
    number: number;
    text: string;
    said_by: string;
    told_at: number;
    /** Null while it waits. */
    heard_at: number | null;
  };
}
