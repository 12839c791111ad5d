import type { Devices } from './devices.ts';
import type { Exchange } from './exchange.ts';

/** A page whose stream was disconnected may come back within this (the web process restarts). */
const reconnectWindowMs = 60_000;
/** A disconnected page that sends no audio either is gone: browsers send audio all the time. */
const silenceTimeoutMs = 3000;

/** Every second: ends the calls of pages that are gone. */
export function sweepDevices(devices: Devices, exchange: Exchange, nowMs: number): void {
  for (const device of devices.all()) {
    if (device.lostMs === null) continue;
    const lostForMs = nowMs - device.lostMs;
    const ownLegs = [...device.legs].filter((leg) => leg.device === device);
    const silent = ownLegs.every(
      (leg) => nowMs - (leg.peer?.lastReceivedMs() ?? 0) > silenceTimeoutMs,
    );
    if (lostForMs < silenceTimeoutMs || (!silent && lostForMs < reconnectWindowMs)) continue;
    for (const leg of ownLegs) exchange.end(leg, 'hangup', 'connectionLost');
    if (ownLegs.length === 0 || lostForMs > reconnectWindowMs) devices.remove(device);
  }
}
