import type { TxCtx } from '../../platform/context.ts';
import type { Gateways } from '../../gateways/index.ts';
import type { OutgoingText } from '../../gateways/messaging.ts';

/** The carrier can fetch pictures of a text for a week. */
const mediaLinkSeconds = 7 * 86_400;

/** A picture of a text of ours. `fileId` null: it isn't stored here, so it isn't sent. */
interface OutgoingFile {
  fileId: number | null;
  type: string;
  bytes: number;
}

/** Pictures as a carrier fetches them: signed links that expire. */
export const mediaLinks = (t: TxCtx, files: readonly OutgoingFile[]): OutgoingText['media'] =>
  files.flatMap((file) =>
    file.fileId === null
      ? []
      : {
          url:
            t.settings.publicUrl +
            t.files.signUrl(t.companyId, file.fileId, t.now, mediaLinkSeconds),
          contentType: file.type,
          bytes: file.bytes,
        },
  );

/** A number of ours, as far as its carrier depends on it. */
interface CarrierNumber {
  providerId: number;
  providerRef: string | null;
}

/**
 * The name of the carrier that a number's texts go through. It is stored with each text, because
 * its receipts and lookups belong to that carrier. The first one for numbers without a connected
 * carrier; whether such a number may text is decided by `textBlockReason`.
 */
export function carrierNameOf(
  { carriers, messaging }: Gateways,
  number: CarrierNumber | undefined,
): string {
  if (carriers.all.length === 1) return messaging.name;
  const carrier = number ? carriers.forNumber(number) : carriers.primary;
  return carrier?.messaging?.name ?? messaging.name;
}
