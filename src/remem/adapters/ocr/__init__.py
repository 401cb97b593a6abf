"""Text recognition (OCR) in pictures."""

from remem.adapters.table import Adapter

ADAPTERS = {
    "local": Adapter(
        "remem.adapters.ocr.local:LocalOcr",
        "the model that comes with remem",
        reads="Latin script without the signs of Vietnamese, Chinese and Japanese",
    ),
    "tesseract": Adapter(
        "remem.adapters.ocr.tesseract:TesseractOcr",
        "the tesseract program",
        {"languages": "ocr_languages"},
        defaults={"ocr_languages": "eng"},
        program="tesseract",
        reads="the languages of REMEM_OCR_LANGUAGES",
    ),
    "vision": Adapter(
        "remem.adapters.ocr.vision:VisionOcr",
        "a vision model with OpenAI's chat protocol",
        {"base_url": "ocr_url", "api_key": "ocr_key", "model": "ocr_model"},
        required=("ocr_model",),
        defaults={"ocr_url": "https://api.openai.com/v1"},
        key_variable="OPENAI_API_KEY",
        reads="the languages of that model",
    ),
}
