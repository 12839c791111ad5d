import type { Ctx } from './context.ts';

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Runs a step of a job. When what it refers to was deleted between its check and its write, which one
 * line in the log says, it runs once more: now the check sees it and ends with the sentence. Fails as
 * the step fails.
 */
export async function againIfDeleted<T>(ctx: Pick<Ctx, 'log'>, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code !== FOREIGN_KEY_VIOLATION) throw error;
    ctx.log.info({ constraint }, 'what a job refers to was deleted meanwhile; its step runs again');
    return run();
  }
}
