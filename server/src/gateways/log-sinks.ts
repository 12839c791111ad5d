/** A bucket at Amazon or an S3-compatible service. */
export interface LogBucket {
  bucket: string;
  region: string;
  /** Null: Amazon's own. */
  endpoint: string | null;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Whether a receiver has taken what was sent; `error`: a sentence for its administrators. */
export type SinkResult = { ok: true } | { ok: false; error: string };

/** Receivers outside that companies name. Only the public internet is reached. Never throws. */
export interface LogSinks {
  readonly name: string;
  /** Posts to a webhook; taken is what it answers with 2xx. */
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<SinkResult>;
  /** Writes an object, in place of one of this name. */
  put(bucket: LogBucket, key: string, body: string): Promise<SinkResult>;
}
