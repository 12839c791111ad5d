import {
  grantOf,
  isAboutCompany,
  type DescribedEndpoint,
  type EffectiveRole,
  type Grant,
  type PermissionKey,
} from '#contract';
import type { Access, Actor } from '../access.ts';
import type { Db } from '../db.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import { detailsIn, maskValue, type Hidden } from './mask-text.ts';

/**
 * Which of these numbers (E.164) and emails (lower case) are the company's: its lines, colleagues,
 * destinations. A module answers for its own tables; whatever none claims is a contact's.
 */
export type OwnDetails = (
  db: Db,
  companyId: number,
  asked: { numbers: string[]; emails: string[] },
) => Promise<string[]>;

/** The roles in a company of the person with this ID or email address; null: not of this company. */
export type RolesOf = (
  db: Db,
  companyId: number,
  who: number | string,
) => Promise<Pick<Access, 'roles' | 'switches'> | null>;

/** What is hidden from someone in these roles; null: nothing. */
const hiddenFrom = (
  roles: readonly EffectiveRole[],
  switches: Readonly<Record<string, unknown>>,
): Hidden | null =>
  grantOf(roles, 'contacts.viewPii', switches) === 'none'
    ? { numbers: !roles.includes('reporting') }
    : null;

/** What is hidden from a person in a company, or (null) where no company is named, in any. */
export function hiddenFromActor(actor: Actor, companyId: number | null): Hidden | null {
  if (actor.kind === 'system' || (actor.staff && actor.adminMode)) return null;
  const found = actor.memberships
    .filter((m) => !companyId || m.companyId === companyId)
    .flatMap((m) => hiddenFrom(m.roles, m.switches) ?? []);
  return found.length ? { numbers: found.some((hidden) => hidden.numbers) } : null;
}

/** What is asked of a context here. */
interface Viewer {
  actor: Actor;
  companyId: number;
  organizationId: number;
  roles: readonly EffectiveRole[];
  may(key: PermissionKey): Grant;
  db: Db;
}

/** The number of a contact, conversation or call that this person sees; null: no such object. */
type PartyOf<Tx> = (ctx: Tx, id: number) => Promise<string | null>;

const digits = /\d[\s().+*-]{0,2}\d[\s().+*-]{0,2}\d|@/;
const anyDigit = /\d|@/;

/** A party named by an object that shows it, for people who may not see its number. */
const reference = /^(contact|conversation|call):(\d{1,16})$/;

/**
 * Hides contact details at the border: in every response, live event, push and mail for people who
 * may not see them, so that no endpoint or event can forget it.
 */
export class ContactDetails<Tx extends Viewer> {
  constructor(
    private readonly lookups: readonly OwnDetails[],
    private readonly rolesOf: RolesOf,
    private readonly parties: Readonly<Record<string, PartyOf<Tx>>>,
  ) {}

  /**
   * The number that a person means: as they wrote it, or that of `contact:ID`, `conversation:ID` or
   * `call:ID`.
   * @throws ApiError `not_found` for an object that they don't see
   */
  async numberOf(ctx: Tx, written: string): Promise<string> {
    const [, kind = '', id] = reference.exec(written.trim()) ?? [];
    if (!id) return written;
    return (await this.parties[kind]?.(ctx, Number(id))) ?? notFound();
  }

  /** What a search must leave out, because the actor may not see it. Null: nothing. */
  hiddenFrom(ctx: Viewer): Hidden | null {
    return hiddenInRequest(ctx);
  }

  /**
   * Hidden digits can't be found out by searching for them, one after another. What is left, one or
   * two digits and the letters of emails, the searches of conversations leave out by themselves.
   * @throws ApiError `invalid` for such a search
   */
  checkSearch(ctx: Viewer, e: DescribedEndpoint, input: unknown): void {
    // Contacts have a search of their own that leaves hidden details out.
    if (isAboutCompany(e.permission) || e.permission.startsWith('contacts.')) return;
    if (!hiddenInRequest(ctx)?.numbers) return;
    const isOfNumbers = e.permission.startsWith('blocks.');
    for (const [key, text, ofNumber] of searchedTexts(input))
      if (!reference.test(text.trim()) && (isOfNumbers || ofNumber ? anyDigit : digits).test(text))
        invalid({ [key]: 'You can’t search by number or email. They’re hidden from you.' });
  }

  /** A response to the actor of `ctx`, without what is hidden from them. */
  async inResponse<T>(ctx: Viewer, e: DescribedEndpoint, value: T): Promise<T> {
    const hidden = isAboutCompany(e.permission) ? null : hiddenInRequest(ctx);
    if (!hidden) return value;
    const companies = ctx.companyId
      ? [ctx.companyId]
      : ctx.actor.memberships.map((m) => m.companyId);
    return this.mask(ctx.db, companies, hidden, value);
  }

  /** An error as it may be told to the actor of `ctx`. */
  async inError(ctx: Viewer, e: DescribedEndpoint, error: unknown): Promise<unknown> {
    if (!(error instanceof ApiError)) return error;
    const { code, params, errors, extra, problems } = error;
    const shown = await this.inResponse(ctx, e, { params, errors, extra, problems });
    return new ApiError(code, shown.params, shown.errors, shown.extra, shown.problems);
  }

  /** What is hidden from someone (ID or email address) of a company; null: nothing, or no member. */
  async hiddenFromPerson(db: Db, companyId: number, who: number | string): Promise<Hidden | null> {
    const found = await this.rolesOf(db, companyId, who);
    return found && hiddenFrom(found.roles, found.switches);
  }

  /** What a push or mail says to someone (ID or email address) about a company. */
  async forPerson<T>(db: Db, companyId: number, who: number | string, value: T): Promise<T> {
    const hidden = await this.hiddenFromPerson(db, companyId, who);
    return hidden ? this.mask(db, [companyId], hidden, value) : value;
  }

  /** The value without what is hidden, except details of the companies themselves. */
  async mask<T>(db: Db, companies: readonly number[], hidden: Hidden, value: T): Promise<T> {
    const details = detailsIn(value, hidden);
    const asked = {
      numbers: details.filter((one) => !one.includes('@')),
      emails: details.filter((one) => one.includes('@')),
    };
    const own = new Set<string>();
    for (const companyId of details.length ? companies : [])
      for (const lookup of this.lookups)
        for (const one of await lookup(db, companyId, asked)) own.add(one.toLowerCase());
    return maskValue(value, hidden, own);
  }
}

/** The texts of a request that are searched for in numbers and emails, with their fields. */
function searchedTexts(input: unknown): [key: string, text: string, ofNumber: boolean][] {
  if (Array.isArray(input)) return input.flatMap(searchedTexts);
  if (typeof input !== 'object' || input === null) return [];
  const { field } = input as { field?: unknown };
  return Object.entries(input).flatMap(([key, value]) => {
    const isSearch =
      ['search', 'q'].includes(key) ||
      (key === 'value' && (field === 'party' || field === 'contact' || field === 'text'));
    if (!isSearch) return searchedTexts(value);
    return [value]
      .flat()
      .map((one): [string, string, boolean] => [key, String(one ?? ''), field === 'party']);
  });
}

/** Null: the request's actor sees everything, or nobody is signed in. */
function hiddenInRequest(ctx: Viewer): Hidden | null {
  if (!ctx.actor.userId) return null;
  if (!ctx.companyId) return ctx.organizationId ? null : hiddenFromActor(ctx.actor, null);
  return ctx.may('contacts.viewPii') === 'none'
    ? { numbers: !ctx.roles.includes('reporting') }
    : null;
}
