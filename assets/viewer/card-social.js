// Profiles on the web, each under the name of its service.
import { bare } from "./card-rows.js";

const NAMES = {
  twitter: "Twitter", x: "X", facebook: "Facebook", instagram: "Instagram", linkedin: "LinkedIn", github: "GitHub", gitlab: "GitLab",
  mastodon: "Mastodon", youtube: "YouTube", tiktok: "TikTok", xing: "XING", flickr: "Flickr", vk: "VK", weibo: "Weibo", wechat: "WeChat",
  bluesky: "Bluesky", reddit: "Reddit", pinterest: "Pinterest", snapchat: "Snapchat", skype: "Skype", matrix: "Matrix", xmpp: "XMPP",
  discord: "Discord", jabber: "Jabber", icq: "ICQ", aim: "AIM", line: "LINE", qq: "QQ", myspace: "Myspace", gamecenter: "Game Center",
};

export const socialCard = (card, { rows }) => rows((card.rows ?? []).map(row => {
  const { label = "", value } = row;
  // The name of the account is what people read; the whole address is in the link.
  return { ...row, label: NAMES[label.toLowerCase()] ?? label, value: bare(value), copied: value };
}), card);
