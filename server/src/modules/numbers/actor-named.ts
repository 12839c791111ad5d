import { systemActor, type Actor, type Ctx } from '../../platform/context.ts';
import { namesOf } from './forwarding/store.ts';

/** The system at work for somebody: what a job does is told under the name of who asked for it. */
export async function actorNamed(ctx: Ctx, userId: number): Promise<Actor> {
  const name = userId ? (await namesOf(ctx.db.directory, [userId])).get(userId) : undefined;
  return name ? { ...systemActor, kind: 'user', userId, name } : systemActor;
}
