import type { FastifyInstance } from 'fastify';
import { candidatesOf } from '../pools/candidates.ts';
import { isScriptEnabled } from '../script/store.ts';
import { ownSources } from '../sources/classify-visit.ts';
import { setupMark } from './store-setup.ts';
import { showsNumbers } from './store.ts';

type Scope = Parameters<typeof candidatesOf>[0];
/** What decides which number a page shows, besides who has which number at the moment. */
export interface Setup {
  candidates: Awaited<ReturnType<typeof candidatesOf>>;
  sources: Awaited<ReturnType<typeof ownSources>>;
  isEnabled: boolean;
}

const NAME = 'trackingSetups';
/** A company's pools and sources are some kilobytes. */
const MOST_COMPANIES = 2000;

/**
 * Companies' pools and sources, kept in a web process as long as they are as they were: each visit
 * asks the database for their mark, which any change of them changes. So no visit sees an old
 * setup, however many processes there are, and none waits for an event.
 */
class KnownSetups {
  private readonly kept = new Map<number, { mark: string; setup: Setup }>();

  async of(scope: Scope): Promise<Setup> {
    // Before the rest: what changes meanwhile is then read again by the next visit.
    const mark = await setupMark(scope.tx, scope.companyId);
    const known = this.kept.get(scope.companyId);
    if (known?.mark === mark) return known.setup;
    const setup = {
      candidates: await candidatesOf(scope),
      sources: await ownSources(scope),
      isEnabled:
        (await isScriptEnabled(scope.tx, scope.companyId)) &&
        (await showsNumbers(scope.tx, scope.companyId)),
    };
    this.kept.delete(scope.companyId);
    for (const [oldest] of this.kept) {
      if (this.kept.size < MOST_COMPANIES) break;
      this.kept.delete(oldest);
    }
    this.kept.set(scope.companyId, { mark, setup });
    return setup;
  }
}

/** Gives a web process its memory of setups. */
export const rememberSetups = (app: FastifyInstance): void => {
  app.decorate(NAME, new KnownSetups());
};

/** The memory of the process that a request arrived at. */
export const setupsOf = (app: FastifyInstance): KnownSetups => app.getDecorator<KnownSetups>(NAME);
