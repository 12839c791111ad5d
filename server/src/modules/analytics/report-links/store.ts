import { sql, type RawBuilder } from 'kysely';
import { isFeatureOn } from '#contract/numbers/features/rules';
import { firstOf } from '../../../platform/must-be.ts';
import type { Tx } from '../../../platform/db.ts';
import { organizationIn } from '../favorites/store.ts';

// The system role: a link names no company.

interface LinkRow {
  id: number;
  favorite_id: number;
  favorite_name: string;
  /** JSON text of the favorite. */
  favorite_value: string;
  user_id: number;
  user_name: string;
  created_at: Date;
  expires_at: Date;
  last_opened_at: Date | null;
  refused_at: Date | null;
}

/** Links of a person, or (null) of everyone, newest first; of one favorite, or one link. */
export const linkRows = async (
  tx: Tx,
  companyId: number,
  asked: { userId: number | null; favoriteId?: number | undefined; id?: number },
): Promise<LinkRow[]> =>
  (
    await sql<LinkRow>`select l.id, l.favorite_id, f.name as favorite_name, f.value as favorite_value, l.user_id,
        coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email, '') as user_name,
        l.created_at, l.expires_at, l.last_opened_at, l.refused_at
      from report_link l
        join favorite_report f on f.company_id = l.company_id and f.id = l.favorite_id
        left join person p on p.id = l.user_id
      where l.company_id = ${companyId}
        and (${asked.userId}::bigint is null or l.user_id = ${asked.userId})
        and (${asked.favoriteId ?? null}::bigint is null or l.favorite_id = ${asked.favoriteId ?? null})
        and (${asked.id ?? null}::bigint is null or l.id = ${asked.id ?? null})
      order by l.created_at desc, l.id desc`.execute(tx)
  ).rows;

/** The company's date, and when a day (YYYY-MM-DD) ends in its zone. */
export const endOfDay = async (
  tx: Tx,
  companyId: number,
  day: string,
  now: Date,
): Promise<{ today: string; ends: Date }> => {
  const { rows } = await sql<{ today: string; ends: Date }>`
    select to_char(${now}::timestamptz at time zone timezone, 'YYYY-MM-DD') as today,
      (${day}::date + 1)::timestamp at time zone timezone as ends
    from company where id = ${companyId}`.execute(tx);
  return firstOf(rows);
};

/** How many links of a favorite work; locks the favorite, so that two requests count one after the other. */
export const countWorking = async (
  tx: Tx,
  companyId: number,
  favoriteId: number,
  now: Date,
): Promise<number> => {
  await sql`select from favorite_report
    where company_id = ${companyId} and id = ${favoriteId} for no key update`.execute(tx);
  const { rows } = await sql<{ n: number }>`select count(*)::int n from report_link
    where company_id = ${companyId} and favorite_id = ${favoriteId} and expires_at > ${now}`.execute(
    tx,
  );
  return rows[0]?.n ?? 0;
};

/** Adds a link and returns its ID. */
export const insertLink = async (
  tx: Tx,
  values: {
    company_id: number;
    favorite_id: number;
    user_id: number;
    token_hash: string;
    created_at: Date;
    expires_at: Date;
  },
): Promise<number> =>
  (await tx.insertInto('report_link').values(values).returning('id').executeTakeFirstOrThrow()).id;

/** Removes a link. */
export const removeLink = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('report_link').where('company_id', '=', companyId).where('id', '=', id).execute();

interface OpenedLink {
  /** Null: no link that was made, but that of an email. */
  id: number | null;
  companyId: number;
  userId: number;
  expiresAt: Date;
  name: string;
  /** JSON text of the favorite. */
  value: string;
  timezone: string;
  today: string;
  /** Who gets it by email. */
  recipients: string[];
  company: {
    name: string;
    logo: string | null;
    logo_dark: string | null;
    primary_color: string | null;
    secondary_color: string | null;
  };
}

type Picture = Partial<Record<'logo' | 'logo_dark' | 'primary_color' | 'secondary_color', string>>;

/** The link with this token. Undefined: none works, or its company isn’t active. Needs the system role. */
export const linkByToken = (
  db: Tx,
  tokenHash: string,
  now: Date,
): Promise<OpenedLink | undefined> =>
  openedBy(
    db,
    now,
    sql`select id, company_id, favorite_id, user_id, expires_at from report_link
      where token_hash = ${tokenHash} and expires_at > ${now}`,
  );

/** The same of a favorite that is emailed, with those who get it; undefined: none is. Needs the system role. */
export const mailedFavorite = (
  db: Tx,
  { companyId, id }: { companyId: number; id: number },
  { expiresAt, now }: { expiresAt: Date; now: Date },
): Promise<OpenedLink | undefined> =>
  openedBy(
    db,
    now,
    sql`select null::bigint as id, company_id, id as favorite_id, user_id,
        ${expiresAt}::timestamptz as expires_at
      from favorite_report
      where company_id = ${companyId} and id = ${id} and schedule is not null`,
  );

async function openedBy(
  db: Tx,
  now: Date,
  found: RawBuilder<unknown>,
): Promise<OpenedLink | undefined> {
  const { rows } = await sql<
    Omit<OpenedLink, 'company'> & {
      company: string;
      branding: Picture | null;
      tenant: Picture;
      settings: unknown;
    }
  >`select l.id, l.company_id as "companyId", l.user_id as "userId", l.expires_at as "expiresAt",
      f.name, f.value, z.timezone,
      array(select jsonb_array_elements_text(f.schedule -> 'recipients')) as recipients, c.name as company, c.branding, c.settings,
      to_char(${now}::timestamptz at time zone z.timezone, 'YYYY-MM-DD') as today,
      jsonb_build_object('logo', t.logo, 'logo_dark', t.logo_dark,
        'primary_color', t.primary_color, 'secondary_color', t.secondary_color) as tenant
    from (${found}) l
      join favorite_report f on f.company_id = l.company_id and f.id = l.favorite_id
      join company c on c.id = l.company_id
      left join organization o on o.id::text = ${organizationIn}
      cross join lateral (select coalesce(o.timezone, c.timezone) as timezone) z
      left join tenant t on t.organization_id = c.organization_id
    where c.status = 0`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { company: name, branding, tenant, settings, ...link } = row;
  const isBranded = isFeatureOn(settings, 'white-label');
  const own = (isBranded && branding) || {};
  const look = own.logo || own.primary_color ? own : isBranded ? tenant : {};
  return {
    ...link,
    company: {
      name,
      logo: look.logo ?? null,
      logo_dark: look.logo_dark ?? look.logo ?? null,
      primary_color: look.primary_color ?? null,
      secondary_color: look.secondary_color ?? null,
    },
  };
}

/** Notes that a link was opened, at most once a minute, and isn’t refused. Whether it was noted. */
export async function noteOpened(
  tx: Tx,
  companyId: number,
  id: number,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`update report_link set last_opened_at = ${now}, refused_at = null
    where company_id = ${companyId} and id = ${id} and (last_opened_at is null
      or last_opened_at < ${now}::timestamptz - interval '1 minute' or refused_at is not null)
    returning id`.execute(tx);
  return rows.length > 0;
}

/** Notes that a link asks for too much, until it opens. Whether that is new. */
export async function noteRefused(
  tx: Tx,
  companyId: number,
  id: number,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`update report_link set refused_at = ${now}
    where company_id = ${companyId} and id = ${id} and refused_at is null returning id`.execute(tx);
  return rows.length > 0;
}
