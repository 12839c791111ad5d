import type { FastifyReply } from 'fastify';

/**
 * Sends a file that someone outside uploaded. `contentType` null: as a download, never rendered.
 */
export const sendUntrustedFile = (
  reply: FastifyReply,
  bytes: Buffer,
  contentType: string | null,
): FastifyReply =>
  reply
    .headers({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=3600',
    })
    .type(contentType ?? 'application/octet-stream')
    .send(bytes);
