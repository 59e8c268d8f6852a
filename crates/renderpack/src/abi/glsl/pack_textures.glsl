// Texture slots C and D travel as bits in the two float words of the push block: never convert them.
#define uTextureIndexC floatBitsToUint(acdreamPush.paramA)
#define uTextureIndexD floatBitsToUint(acdreamPush.paramB)

// The slot of an input that the host does not supply. Compare before sampling an optional input.
const uint PACK_NO_TEXTURE = 0xFFFFFFFFu;
