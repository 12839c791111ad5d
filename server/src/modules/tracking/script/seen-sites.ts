import type { FastifyInstance } from 'fastify';
import type { Services } from '../../../platform/context.ts';
import { storeSite } from './store.ts';

const NAME = 'seenSites';
/** The same thing about the same website is stored once in so many milliseconds. */
const ONCE_IN_MS = 30_000;
const MOST = 20_000;

interface Seen {
  companyId: number;
  host: string;
  version: string | null;
  /** Places that show a visitor's number; null: not known, or none. */
  swapped: number | null;
  /** A subdomain of the website at which its pages call us; null: they don't, or it isn't known. */
  firstPartyHost: string | null;
  at: Date;
}

/** Remembers in a web process which websites were heard from, and stores it now and then. */
class SeenSites {
  private readonly until = new Map<string, number>();

  constructor(private readonly services: Pick<Services, 'db' | 'log'>) {}

  /** Never rejects: pages don't wait for it, and the next one says it again. */
  async note(seen: Seen): Promise<void> {
    const { companyId, host, version, swapped, firstPartyHost, at } = seen;
    const key = `${companyId} ${host} ${version ?? ''} ${swapped === null} ${firstPartyHost ?? ''}`;
    if ((this.until.get(key) ?? 0) > at.getTime()) return;
    if (this.until.size >= MOST) this.until.clear();
    this.until.set(key, at.getTime() + ONCE_IN_MS);
    const db = this.services.db.inLane('writes', { companyId, personId: 0 });
    try {
      await db.transaction({ companyId }, (tx) => storeSite(tx, companyId, seen));
    } catch (error) {
      this.until.delete(key);
      this.services.log.warn({ err: error, companyId }, 'website of the script not stored');
    }
  }
}

/** Gives a web process its memory of websites. */
export const rememberSites = (app: FastifyInstance, services: Services): void => {
  app.decorate(NAME, new SeenSites(services));
};

/** The memory of the process that a request arrived at. */
export const seenSitesOf = (app: FastifyInstance): SeenSites => app.getDecorator<SeenSites>(NAME);
