import { systemActor, type Actor, type Ctx } from '../../platform/context.ts';
import { userNamesById } from './forwarding/store.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

/** The person who started a background job, as its actor. An unknown `userId`, or 0: the system. */
export async function actorFor(ctx: Ctx, userId: number): Promise<Actor> {
  const name = userId ? (await userNamesById(ctx.db.unscoped, [userId])).get(userId) : undefined;
  return name ? { ...systemActor, kind: 'user', userId, name } : systemActor;
}
