import type { Ctx } from '../../../platform/context.ts';
import { sitesOfCompany } from './store.ts';

/** How long a process remembers the websites of a company, in milliseconds. */
const REMEMBERED_MS = 10_000;
const MOST_COMPANIES = 10_000;

/**
 * The websites of companies' active pools, remembered for ten seconds: page views are far more
 * frequent than changes of pools, and the step `origin` asks the visit's own pool again.
 */
export class CompanySites {
  private readonly known = new Map<number, { domains: Promise<string[]>; until: number }>();

  /** Fails when the database doesn't answer. */
  of({ db, now }: Pick<Ctx, 'db' | 'now'>, companyId: number): Promise<string[]> {
    const found = this.known.get(companyId);
    if (found && found.until > now.getTime()) return found.domains;
    const domains = db.readOnly({ companyId }, (tx) => sitesOfCompany(tx, companyId));
    if (this.known.size >= MOST_COMPANIES) this.known.clear();
    this.known.set(companyId, { domains, until: now.getTime() + REMEMBERED_MS });
    domains.catch(() => this.known.delete(companyId));
    return domains;
  }
}
