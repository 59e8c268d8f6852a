//! The device, and memory of it.

use ash::vk;
use std::ffi::CStr;

/// Lavapipe, with every feature that it has.
pub struct Vulkan {
    pub(crate) device: ash::Device,
    pub(crate) queue: vk::Queue,
    pub(crate) family: u32,
    pub(crate) feedback: ash::ext::transform_feedback::DeviceFn,
    pub(crate) limits: vk::PhysicalDeviceLimits,
    pub(crate) feedback_bytes: u32,
    memory: vk::PhysicalDeviceMemoryProperties,
    instance: ash::Instance,
    // The library stays loaded as long as what came of it.
    _entry: ash::Entry,
}

impl Vulkan {
    /// Opens it. Other devices, also faster ones, are left alone: results are to be those of one driver.
    ///
    /// # Errors
    /// Says what is missing.
    pub fn lavapipe() -> Result<Vulkan, String> {
        // SAFETY: the loader's initialisers have no demands of their own.
        let entry = unsafe { ash::Entry::load() }
            .map_err(|e| format!("the Vulkan loader (Debian's libvulkan1): {e}"))?;
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        let create = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: the structures live until the call is over.
        let instance = unsafe { entry.create_instance(&create, None) }
            .map_err(|e| format!("no Vulkan instance, so no driver (Debian's mesa-vulkan-drivers): {e}"))?;
        match open(&instance) {
            Ok(opened) => Ok(Vulkan {
                device: opened.device,
                queue: opened.queue,
                family: opened.family,
                feedback: opened.feedback,
                limits: opened.limits,
                feedback_bytes: opened.feedback_bytes,
                memory: opened.memory,
                instance,
                _entry: entry,
            }),
            Err(e) => {
                // SAFETY: nothing that came of the instance is left.
                unsafe { instance.destroy_instance(None) };
                Err(e)
            }
        }
    }

    /// A type of memory among `types` that the host maps.
    pub(crate) fn memory_type(&self, types: u32) -> Result<u32, String> {
        let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let list = self.memory.memory_types_as_slice();
        (0u32..)
            .zip(list)
            .find(|(n, t)| types >> n & 1 != 0 && t.property_flags.contains(wanted))
            .map(|(n, _)| n)
            .ok_or_else(|| "no memory that the host maps".into())
    }
}

impl Drop for Vulkan {
    fn drop(&mut self) {
        // SAFETY: a draw leaves nothing behind, so the device and then the instance are the last of theirs.
        unsafe {
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

struct Opened {
    device: ash::Device,
    queue: vk::Queue,
    family: u32,
    feedback: ash::ext::transform_feedback::DeviceFn,
    limits: vk::PhysicalDeviceLimits,
    feedback_bytes: u32,
    memory: vk::PhysicalDeviceMemoryProperties,
}

fn open(instance: &ash::Instance) -> Result<Opened, String> {
    let text = |e: vk::Result| e.to_string();
    // SAFETY: the instance lives, and the structures are chained to each other for the one call.
    let (physical, limits, feedback_bytes) = unsafe {
        let mut found = None;
        for physical in instance.enumerate_physical_devices().map_err(text)? {
            let mut driver = vk::PhysicalDeviceDriverProperties::default();
            let mut feedback = vk::PhysicalDeviceTransformFeedbackPropertiesEXT::default();
            let mut properties =
                vk::PhysicalDeviceProperties2::default().push_next(&mut driver).push_next(&mut feedback);
            instance.get_physical_device_properties2(physical, &mut properties);
            let properties = properties.properties;
            if driver.driver_id == vk::DriverId::MESA_LLVMPIPE {
                if properties.api_version < vk::API_VERSION_1_3 {
                    return Err("lavapipe is older than Vulkan 1.3".into());
                }
                found = Some((physical, properties.limits, feedback.max_transform_feedback_buffer_data_size));
            }
        }
        found.ok_or("no lavapipe among the devices (Debian's mesa-vulkan-drivers)")?
    };
    // SAFETY: as above; the device is of this instance.
    unsafe {
        let extensions: [&CStr; 1] = [ash::ext::transform_feedback::NAME];
        let names = extensions.map(CStr::as_ptr);
        let families = instance.get_physical_device_queue_family_properties(physical);
        let family = (0u32..)
            .zip(&families)
            .find(|(_, f)| f.queue_flags.contains(vk::QueueFlags::GRAPHICS))
            .map(|(n, _)| n)
            .ok_or("lavapipe has no queue that draws")?;
        let queues =
            [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
        let features = instance.get_physical_device_features(physical);
        let mut features_11 = vk::PhysicalDeviceVulkan11Features::default().shader_draw_parameters(true);
        let mut features_13 = vk::PhysicalDeviceVulkan13Features::default().dynamic_rendering(true);
        let mut feedback = vk::PhysicalDeviceTransformFeedbackFeaturesEXT::default().transform_feedback(true);
        let create = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&names)
            .enabled_features(&features)
            .push_next(&mut features_11)
            .push_next(&mut features_13)
            .push_next(&mut feedback);
        let device = instance.create_device(physical, &create, None).map_err(text)?;
        let feedback = ash::ext::transform_feedback::DeviceFn::load(|name| {
            instance
                .get_device_proc_addr(device.handle(), name.as_ptr())
                .map_or(std::ptr::null(), |f| f as *const _)
        });
        Ok(Opened {
            queue: device.get_device_queue(family, 0),
            device,
            family,
            feedback,
            limits,
            feedback_bytes,
            memory: instance.get_physical_device_memory_properties(physical),
        })
    }
}
