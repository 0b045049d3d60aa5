import type { Generated } from "kysely";

/** What lessons and patterns share: see `domain/memory/memory-record.ts`. */
interface MemoryColumns {
  scope: Generated<string>;
  project_id: Generated<string>;
  language: Generated<string>;
  /** Derived from the three columns above. Unique together with the key. */
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
    /** Blob of the frozen values: request, settings, prompts, tool schemas, prices. */
    frozen_hash: string;
    parent_id: string | null;
    iterations: Generated<number>;
    base_tree: string | null;
    /** The tree of the result; `final_code` of the source documents. */
    final_code: string | null;
    failure: string | null;
    /** Each claim raises it. A write with an older epoch is refused. */
    epoch: Generated<number>;
    owner: string | null;
    /** `pause` and `cancel` set it; the process that works on the task looks for it. */
    wish: string | null;
    step_count: Generated<number>;
    event_count: Generated<number>;
    /** Settled plus reserved: a call with unknown outcome counts as spent. */
    spent_micros: Generated<number>;
    spent_tokens: Generated<number>;
    created_at: number;
    updated_at: number;
    /** For a fork: the parent's first step that was done anew. */
    forked_at: Generated<number | null>;
    /** Taken from the plan, once there is one. */
    language: Generated<string | null>;
    goal_kind: Generated<string | null>;
    /** `cli_tool`, where the person or their goal named a kind of project. */
    project_type: Generated<string | null>;
    settled_at: Generated<number | null>;
    /** For whom it is worked on, and spent: the name of a token or of a login. */
    person: Generated<string>;
    /** How far a server promised last to work on it: see `jobs`. The task may wait for an answer meanwhile. */
    purpose: Generated<string>;
  };
  /**
   * A later generation of a strand. It shares the rows of the generation before up to `start`, and then has its own.
   */
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
    /** The diff that turned the tests green. */
    solution: string | null;
    /** Why, in one line. */
    fix_description: string | null;
    /** The vectors are in the index of memory, one for each model. */
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
    created_at: number;
    plan: Generated<string>;
    interfaces: Generated<string>;
  } & MemoryColumns;
  /** How many records hold each feature, by its hash. It gives rare words more weight. A version is never changed. */
  memory_weights: {
    version: number;
    records: number;
    counts: Uint8Array;
    created_at: number;
  };
  /** Each search of memory for an iteration, with the outcome of that iteration. Rows outlive their task. */
  memory_recalls: {
    task_id: string;
    todo: string;
    iteration_num: number;
    /** `goal`: before the first turn of a todo; `error`: after a red iteration. */
    cause: string;
    found: number;
    /** The size of the quotation in the prompt. */
    tokens: number;
    /** 1: green; 0: not green; null: the iteration is under way. */
    won: number | null;
    /** Tokens of the whole iteration. */
    tokens_used: number | null;
    created_at: number;
  };
  /** Each record that was found for an iteration: shown to it, or held back as a control. Rows outlive their task. */
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
  /** Steps that wrote to memory. An effect that runs again after a crash finds its earlier write here. */
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
  /** The usage of a task's model calls: by role, by phase, and by the model that answered. */
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
    /** Calls of models without a price. */
    unpriced: number;
    duration_ms: number;
  };
  /** Other counts of a task: how often, and the total. */
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
    /** `once`: for this question; `task`: for every question of its subject in this task. */
    holds: Generated<string>;
  };
  /** Messages of a person to a running task, in order. */
  messages: {
    id: string;
    task_id: string;
    number: number;
    text: string;
    said_by: string;
    told_at: number;
    /** Null until the message is heard. */
    heard_at: number | null;
  };
  /** Tasks that a server has promised to work on, itself or by the team's workers. A row is there until the work has ended, also over restarts. */
  jobs: {
    task_id: string;
    /** `plan`: only as far as to the plan; `work`: to its end. */
    purpose: string;
    handed_at: number;
    /** The id of the request that asked for it. */
    request: Generated<string | null>;
    /** Who asked, by the name of their token. */
    person: Generated<string>;
    priority: Generated<number>;
    /** JSON: what whoever does it must have. */
    labels: Generated<string>;
    /** `servers`: whichever server gets to it; `workers`: it was entered into the team's queue. */
    keepers: Generated<string>;
  };
  /** Todos that the worker of a task lends to other workers. */
  loans: {
    task_id: string;
    /** The strand of the todo's work. */
    strand: string;
    /** Of the claim that lends it: with another one the loan is void. */
    epoch: number;
    /** `offered`, `lent`, `ended` by the guest, or taken `back` by the owner. */
    state: string;
    /** Rises as long as the guest lives. */
    beat: number;
    /** 1: the guest is to come back after its iteration. */
    called: number;
    /** JSON: what the work begins with. */
    beginning: string;
  };
  /** Who may ask a server. The token itself is kept nowhere. */
  tokens: {
    name: string;
    hash: string;
    /** Separated by commas. */
    scopes: string;
    created_at: number;
  };
  /** Who is in a team. */
  people: { name: string; team: string };
  /** What may be spent in a month, by `person:NAME`, `team:NAME` or `all`. */
  budgets: { holder: string; micros: number };
  /** What holders of budgets have spent and reserved in a month (`2026-11`). */
  spending: { holder: string; month: string; micros: number };
  /** Requests that a provider bears at once: each has a slot until it is answered, or this time is over. */
  provider_slots: { provider: string; slot: number; holder: string; until: number };
  /** Until when nobody asks a provider, because it said so. */
  provider_pauses: { provider: string; until: number };
  /** Pages that are signed in. A session ends with its token. */
  sessions: {
    hash: string;
    token_hash: string;
    created_at: number;
    expires_at: number;
  };
  /** What was decided, refused and delivered, and who asked for it. Rows are only added. */
  audit: {
    number: number;
    at: number;
    action: string;
    by_whom: string;
    task_id: string | null;
    request: string | null;
    /** One line. */
    detail: string;
  };
}
