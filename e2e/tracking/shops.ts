import pg from 'pg';
import { poolSettings } from '#contract/tracking/pool-schemas';
import { companyKey } from '../../server/src/modules/tracking/index.ts';
import type { KeyRing } from '../../server/src/platform/secrets.ts';

/** A company with one pool for its website; its clock is the distance to that of the others. */
export interface Shop {
  companyId: number;
  poolId: number;
  key: string;
  numbers: string[];
  defaultNumber: string;
  isShared: boolean;
  /** By how many milliseconds its time is ahead. */
  aheadMs: number;
}

export const pace = { timeoutMinutes: 30, quarantineMinutes: 30 } as const;

/** Makes companies, moves their clocks and reads what was stored of them. */
export class Shops {
  private readonly owner: pg.Pool;
  private made = 0;

  constructor(
    databaseUrl: string,
    private readonly secrets: KeyRing,
  ) {
    this.owner = new pg.Pool({ connectionString: databaseUrl, max: 6 });
    this.owner.on('error', () => {});
  }

  async rows<T>(text: string, values: unknown[]): Promise<T[]> {
    return (await this.owner.query(text, values)).rows as T[];
  }

  async create(size: number, isShared: boolean): Promise<Shop> {
    const nth = ++this.made;
    const [company] = await this.rows<{ id: number }>(
      `insert into company (name, slug, timezone) values ($1, $1, 'UTC') returning id`,
      [`shop-${nth}`],
    );
    const companyId = Number(company?.id);
    const numberOf = (i: number) => `+1${String(2_000_000_000 + nth * 1000 + i)}`;
    const numbers = Array.from({ length: size }, (_, i) => numberOf(i));
    const defaultNumber = numberOf(999);
    const settings = poolSettings.parse({
      domains: ['shop.example'],
      sessionTimeoutMinutes: pace.timeoutMinutes,
      quarantineMinutes: pace.quarantineMinutes,
      exhaustedPolicy: isShared ? 'share' : 'fallback',
    });
    const [pool] = await this.rows<{ id: number }>(
      `with number as (
         insert into number (company_id, number) select $1, unnest($2::text[]) returning id, number
       ), pool as (
         insert into tracking_pool (company_id, name, settings, default_number_id, created_at, updated_at)
         select $1, 'Site', $3, (select id from number where number = $4), now(), now() returning id
       ), place as (
         insert into tracking_pool_number (company_id, number_id, pool_id, number, position, joined_at)
         select $1, number.id, pool.id, number, row_number() over (order by number), now()
         from number, pool where number <> $4
       ) select id from pool`,
      [companyId, [...numbers, defaultNumber], JSON.stringify(settings), defaultNumber],
    );
    return {
      companyId,
      poolId: Number(pool?.id),
      key: companyKey(this.secrets, companyId),
      ...{ numbers, defaultNumber, isShared, aheadMs: 0 },
    };
  }

  /** Lets time pass for a company: what was stored of its visits is that much older. */
  async advance(shop: Shop, minutes: number): Promise<void> {
    const by = `${minutes} minutes`;
    await this.owner.query(
      `with lease as (
         update tracking_lease set started_at = started_at - $2::interval,
           last_seen_at = last_seen_at - $2::interval, expires_at = expires_at - $2::interval,
           ends_at = ends_at - $2::interval, ended_at = ended_at - $2::interval
         where company_id = $1
       ), place as (
         update tracking_pool_number set leased_until = leased_until - $2::interval
         where company_id = $1
       ) update tracking_visit set started_at = started_at - $2::interval,
           last_seen_at = last_seen_at - $2::interval where company_id = $1`,
      [shop.companyId, by],
    );
    shop.aheadMs += minutes * 60_000;
  }

  /** Numbers that two leases had at the same time although neither was shared. */
  doubled = async ({ companyId }: Shop): Promise<number> =>
    (
      await this.rows(
        `select from tracking_lease a join tracking_lease b on b.company_id = a.company_id
           and b.number_id = a.number_id and b.id > a.id and not b.is_shared
         where a.company_id = $1 and not a.is_shared
           and tstzrange(a.started_at, coalesce(a.ended_at, a.expires_at))
             && tstzrange(b.started_at, coalesce(b.ended_at, b.expires_at))`,
        [companyId],
      )
    ).length;

  /** Strangers who got a number before its rest was over. */
  tooEarly = async ({ companyId }: Shop): Promise<number> =>
    (
      await this.rows(
        `select from (select visitor_id, started_at, is_shared,
             lag(visitor_id) over w as before, lag(coalesce(ended_at, expires_at)) over w as over_at
           from tracking_lease where company_id = $1 window w as (partition by number_id
             order by started_at, id)) l
         where not is_shared and before <> visitor_id
           and started_at < over_at + make_interval(mins => $2)`,
        [companyId, pace.quarantineMinutes],
      )
    ).length;

  /** How many visits are stored with this outcome. */
  outcomes = async ({ companyId }: Shop, outcome: string): Promise<number> =>
    (
      await this.rows('select from tracking_visit where company_id = $1 and outcome = $2', [
        companyId,
        outcome,
      ])
    ).length;

  /** When the lease of a number ended last, in milliseconds of the stored time; null: never. */
  async leasedUntil({ companyId }: Shop, number: string): Promise<number | null> {
    const [row] = await this.rows<{ leased_until: Date | null }>(
      'select leased_until from tracking_pool_number where company_id = $1 and number = $2',
      [companyId, number],
    );
    return row?.leased_until?.getTime() ?? null;
  }

  /** The number that a visitor had last, and whether no one has it now or had it since. */
  async lastNumber({ companyId }: Shop, visitorId: string) {
    const [row] = await this.rows<{ number: string; is_free: boolean }>(
      `select s.number, s.leased_until <= now() and s.lease_id = l.id as is_free
       from tracking_lease l join tracking_pool_number s on s.company_id = l.company_id
         and s.number_id = l.number_id
       where l.company_id = $1 and l.visitor_id = $2 order by l.started_at desc limit 1`,
      [companyId, visitorId],
    );
    return row;
  }

  close = () => this.owner.end();
}
