/**
 * Matches the emoji of a text, exactly as `\p{RGI_Emoji}` does. The engine compares that property with thousands of
 * sequences; here most characters are decided by their own properties. An emoji presentation character is an emoji by
 * itself unless it begins a sequence, and any other one needs a character that makes it part of one (UTS #51).
 */
export const EMOJI =
  /(?!\p{Regional_Indicator})\p{Emoji_Presentation}(?!(?<=\p{Emoji_Modifier_Base})\p{Emoji_Modifier}|[\u{e0020}-\u{e007f}]|\ufe0f?\u200d\p{Extended_Pictographic})|(?=\p{Emoji}(?:\ufe0f|\p{Emoji_Modifier}|\u200d|[\u{e0020}-\u{e007f}]|\p{Regional_Indicator}|\u20e3))\p{RGI_Emoji}/gv;
