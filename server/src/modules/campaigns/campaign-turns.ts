import type { Services } from '../../platform/context.ts';
import { dueCampaigns } from './store.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Longest wait before due campaigns are looked for again. */
export const idleMs = 300;
/** One lane claims while the other submits. */
const lanesPerCampaign = 2;
const maxDue = 200;

interface DueCampaign {
  companyId: number;
  id: number;
}
/** A campaign that a lane works on. */
export interface CampaignTurn extends DueCampaign {
  /** Its claim is committed, so that another lane may claim from it. */
  claimed(): void;
  end(): void;
}
interface CampaignTurns {
  /** The next campaign whose time has come; null: none. */
  next(): Promise<CampaignTurn | null>;
  /** Milliseconds until it is worth asking again. */
  waitMs(): number;
}

/** Gives lanes the campaigns that are due, in turn, company by company. */
export function createCampaignTurns(services: Services): CampaignTurns {
  let due: DueCampaign[] = [];
  let loading: Promise<void> | null = null;
  /** When the next one is due, as far as is known; milliseconds since 1970. */
  let nextAt = Infinity;
  const lanes = new Map<number, number>();
  const claiming = new Set<number>();

  const load = async () => {
    const now = services.now();
    nextAt = Infinity;
    const until = new Date(now.getTime() + idleMs);
    const soon = await dueCampaigns(services.db.unscoped, until, maxDue);
    due = roundRobinByCompany(soon.filter((c) => c.at <= now));
    nextAt = soon.find((c) => c.at > now)?.at.getTime() ?? Infinity;
  };
  const turnOf = ({ companyId, id }: DueCampaign): CampaignTurn => {
    lanes.set(id, (lanes.get(id) ?? 0) + 1);
    claiming.add(id);
    return {
      companyId,
      id,
      claimed: () => claiming.delete(id),
      end: () => {
        const rest = (lanes.get(id) ?? 1) - 1;
        if (rest) lanes.set(id, rest);
        else lanes.delete(id);
      },
    };
  };
  return {
    next: async () => {
      if (!due.length) {
        loading ??= load().finally(() => {
          loading = null;
        });
        await loading;
      }
      // Two lanes that claim from one campaign would only wait for each other.
      const at = due.findIndex(
        ({ id }) => !claiming.has(id) && (lanes.get(id) ?? 0) < lanesPerCampaign,
      );
      const [campaign] = at < 0 ? [] : due.splice(at, 1);
      return campaign ? turnOf(campaign) : null;
    },
    waitMs: () => {
      due = [];
      return Math.max(5, Math.min(idleMs, nextAt - services.now().getTime()));
    },
  };
}

/**
 * One campaign of each company, then the second of each: no one waits behind a company with many.
 */
export function roundRobinByCompany(due: readonly DueCampaign[]): DueCampaign[] {
  const perCompany = new Map<number, number>();
  return due
    .map((campaign, at) => {
      const n = perCompany.get(campaign.companyId) ?? 0;
      perCompany.set(campaign.companyId, n + 1);
      return { campaign, n, at };
    })
    .sort((a, b) => a.n - b.n || a.at - b.at)
    .map(({ campaign }) => campaign);
}
