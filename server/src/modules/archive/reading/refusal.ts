/** Why an archive can't be imported, in sentences that say what to do. Nothing was changed. */
export class ArchiveRefusal extends Error {
  override name = 'ArchiveRefusal';
  constructor(
    readonly reasons: readonly string[],
    options?: ErrorOptions,
  ) {
    super(reasons.join(' '), options);
  }
}

/** Refuses the archive: throws ArchiveRefusal. */
export const refuse = (...reasons: string[]): never => {
  throw new ArchiveRefusal(reasons);
};

/** The end of most refusals: what to do about a file that isn't as it was written. */
export const COPY_AGAIN = 'Copy the archive again, or create a new one where the company is.';

/** The sentence for what PostgreSQL says of a row; null: it is no fault of the archive. */
function rowProblem(error: unknown, table: string): string | null {
  const { code = '', detail } = error as { code?: string; detail?: string };
  // Data that doesn't fit its column, or rows that don't fit together.
  if (!/^2[23]/.test(code)) return null;
  if (code === '23505')
    return `A row of the table ${table} exists here already${detail ? `: ${detail}` : ''}. Delete it here first, then import again.`;
  return `A row of the table ${table} doesn’t fit: ${(error as Error).message}. ${COPY_AGAIN}`;
}

/** Runs a statement. Throws what PostgreSQL says of the archive's rows as a refusal. */
export async function guarded<T>(table: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = rowProblem(error, table);
    if (problem) throw new ArchiveRefusal([problem], { cause: error });
    throw error;
  }
}
