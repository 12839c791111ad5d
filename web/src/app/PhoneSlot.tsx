import { Component, lazy, Suspense, type ComponentType } from 'react';
import { useMay } from '#ui';

// The phone is fetched beside the page, never before it. It is a separate feature: without it the slot stays empty.
type Phone = Record<'PhoneDock' | 'PhoneOverlay', ComponentType>;
const found = Object.values(import.meta.glob<Phone>('../features/calls/PhoneDock.tsx'))[0];
const part = (name: keyof Phone) => (found ? lazy(async () => ({ default: (await found())[name] })) : null);
const Dock = part('PhoneDock');
const Overlay = part('PhoneOverlay');

/** The in-app phone at the foot of the rail, for those who may call. */
export const PhoneSlot = () => <Slot part={Dock} />;
/** Its other half, mounted once whatever the width: the connection, the panel of a call, the dial pad. */
export const PhoneOverlaySlot = () => <Slot part={Overlay} />;

function Slot({ part: Part }: { part: ComponentType | null }) {
  const mayCall = useMay('calling.use');
  if (!Part || !mayCall) return null;
  return <Contained><Suspense fallback={null}><Part /></Suspense></Contained>;
}

/** A phone that breaks must not take the screen with it. */
class Contained extends Component<{ children: React.ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError(): { broken: boolean } { return { broken: true }; }
  override render(): React.ReactNode { return this.state.broken ? null : this.props.children; }
}
