/** A small set, by what one looks for. Plain Unicode; the reader's system draws them. */
export const emoji: readonly (readonly [string, string])[] = [
  ['😀', 'grinning happy'], ['😄', 'smile happy'], ['😊', 'smiling blush'], ['🙂', 'slight smile'], ['😉', 'wink'], ['😂', 'tears of joy laugh'], ['😅', 'relieved sweat'], ['😍', 'heart eyes love'],
  ['🤗', 'hug'], ['🤔', 'thinking'], ['😐', 'neutral'], ['😕', 'confused'], ['😟', 'worried'], ['😢', 'crying sad'], ['😬', 'grimace'], ['😴', 'sleeping'],
  ['👍', 'thumbs up yes'], ['👎', 'thumbs down no'], ['👌', 'OK hand'], ['🙏', 'thank you please'], ['👋', 'wave hello'], ['👏', 'clap'], ['🤝', 'handshake deal'], ['💪', 'strong'],
  ['❤️', 'heart love'], ['🎉', 'party celebrate'], ['✨', 'sparkles'], ['⭐', 'star'], ['🔥', 'fire'], ['💯', 'hundred'], ['✅', 'check done'], ['❌', 'cross no'],
  ['⚠️', 'warning'], ['❓', 'question'], ['❗', 'exclamation'], ['ℹ️', 'information'], ['📞', 'phone call'], ['📱', 'mobile'], ['💬', 'message'], ['📧', 'email'],
  ['📅', 'calendar date'], ['⏰', 'alarm time'], ['⌛', 'hourglass wait'], ['📍', 'pin place'], ['🏠', 'house home'], ['🏢', 'office'], ['🚗', 'car'], ['🚚', 'truck delivery'],
  ['✈️', 'plane travel'], ['🔑', 'key'], ['🔧', 'wrench repair'], ['🧾', 'receipt'], ['💳', 'card pay'], ['💵', 'money'], ['📦', 'package'], ['📎', 'paperclip'],
  ['🦷', 'tooth dentist'], ['🐶', 'dog'], ['🐱', 'cat'], ['☀️', 'sun'], ['🌧️', 'rain'], ['❄️', 'snow'], ['☕', 'coffee'], ['🍽️', 'meal dinner'],
];
