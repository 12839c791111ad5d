/** The kit's door. ui/README.md tells how to write a screen with it. */
export { ask, askFully, askPlainly, formFields, onLogout, Refusal, type AskInput } from './ask.ts';
export {
  changeAnswers,
  keyOf,
  makeCache,
  touch,
  useAsk,
  useAskList,
  useTell,
  type Undo,
} from './use-ask.ts';
export {
  connectLive,
  disconnectLive,
  listen,
  registerFold,
  subscribeTo,
  useLive,
  useLiveState,
  whisper,
} from './live.ts';
export { flash, type Notice } from './flash-store.ts';
export {
  canCall,
  clearSession,
  lastPermissions,
  loggedIn,
  may,
  replaceToken,
  selectCompany,
  session,
  useCompanyId,
  useMay,
  userArrived,
  useSession,
  useUser,
  type CurrentUser,
  type Tokens,
} from './session.ts';
export { t, speak } from './words.ts';
export * from './format.ts';
export {
  go,
  readFilters,
  setNavigator,
  useFilters,
  useLeaveGuard,
  usePath,
  where,
  writeFilters,
} from './address.ts';
export { isTyping, shownKeys, useShortcuts, type Shortcut } from './shortcuts.ts';
export {
  openPalette,
  registerCommands,
  registerFinder,
  useCommands,
  type Command,
} from './commands.ts';
export { batchNews, setBatchReader, trackBatch } from './batches.ts';
export { setUnread, useTitle } from './title.ts';
export { useNow } from './use-now.ts';
export { bindRefusal, focusFirst } from './form.ts';
export { useEdited } from './use-edited.ts';
export { makeStore, useStore, type Store } from './store.ts';
export { chartColors, rowHeight, weight } from './theme.ts';
export { Chips } from './components/Chips.tsx';
export { Page, PageSkeleton, Section, showInStrip } from './components/Page.tsx';
export { EmptyState, ErrorState } from './components/States.tsx';
export {
  CountBadge,
  Facts,
  Hidden,
  PersonAvatar,
  PhoneNumber,
  StatusBadge,
  Time,
  type Tone,
} from './components/Bits.tsx';
export { FilterBar, SearchField } from './components/Filters.tsx';
export { DataList, type Column, type Sort } from './components/DataList.tsx';
export {
  formatTotal,
  isCapped,
  Paging,
  type Counted,
  type PagingProps,
} from './components/Paging.tsx';
export { confirm, confirmTyped, showUndo, useUnsavedGuard } from './components/Dialogs.tsx';
export {
  Drawer,
  fetchLazyParts,
  fetchSurely,
  lazyPart,
  Modal,
  NumberInput,
} from './components/Lazy.tsx';
export { SplitPanes } from './components/SplitPanes.tsx';
export { CommandPalette } from './components/CommandPalette.tsx';
export { KeyboardHelp } from './components/KeyboardHelp.tsx';
export { Face } from './Face.tsx';
